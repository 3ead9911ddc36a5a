import { wireEnum } from '../../graph/enums.ts';

// The enums of tiles and their settings: each wire value with its description.

export const kinds = {
  module_header: "A module's header.",
  module_icons: "A module's icons.",
  kpi: 'Key figures.',
  quick_actions: 'Buttons that create records, and one custom button.',
  inbox: 'Pending tasks and e-mails.',
  activity: 'Recent activity.',
  tasks: 'Tasks.',
  mail: 'E-mails. Needs the Mail module.',
  chats: 'Chats.',
  todo: 'To-dos. Needs the TODO permission.',
  ai_request: 'A question to the assistant.',
  crm_stats: 'Figures of the CRM. All crm_ tiles need the CRM module.',
  crm_clients: 'Clients.',
  crm_contacts: 'Contacts.',
  crm_deals: 'Deals.',
  crm_notes: 'Notes. Needs the permission `crm_notes_index`.',
  cms_pages: 'Pages. All cms_ tiles need the CMS module.',
  cms_stats: 'Figures of the CMS.',
  cms_sites: 'Sites.',
  cms_change_log: 'Changes of the CMS.',
  cms_domains: 'Domains.',
  organize_stats: 'Figures of the Organization module. All organize_ tiles need this module.',
  organize_projects: 'Projects.',
  organize_workinfos: 'Work reports.',
  kb_stats: 'Figures of the knowledge base. All kb_ tiles need its module.',
  kb_knowledge_bases: 'Knowledge bases.',
  kb_entries: 'Entries of the knowledge base.',
  kb_comments: 'Comments of the knowledge base.',
  kb_entry_urls: 'URLs of entries.',
  marketing_stats: 'Figures of the Marketing module. All marketing_ tiles need this module.',
  marketing_campaigns: 'Campaigns.',
  flex_app: 'An application of the flexible database service. The key holds its id: `flex_app:<app_id>`.',
};
export const TileKind = wireEnum('TileKind', 'The content of a tile.', kinds);

export const sizes = {
  quarter: 'A quarter of the width.',
  half: 'Half of the width.',
  three_quarters: 'Three quarters of the width.',
  full: 'The whole width.',
};
export const TileSize = wireEnum('TileSize', 'The width of a tile.', sizes);

export const scopes = {
  all: 'Records of all users.',
  mine: 'Records of the caller.',
  mine_unassigned: 'Records of the caller, and unassigned records.',
  unassigned: 'Unassigned records.',
};
export const TileScope = wireEnum('TileScope', 'The owner of the records that a tile shows.', scopes);

export const filters = {
  all: 'All records.',
  overdue: 'Overdue records.',
  unread: 'Unread records.',
  open: 'Open records.',
};
export const TileFilter = wireEnum('TileFilter', 'The state of the records that a tile shows.', filters);

export const sources = { all: 'Tasks and e-mails.', tasks: 'Tasks only.', emails: 'E-mails only.' };
export const InboxSource = wireEnum('InboxSource', 'The kinds of entries in an inbox tile.', sources);

export const modules = {
  main: 'The home page. Needs no module.',
  crm: 'CRM.',
  cms: 'CMS.',
  organize: 'Organization.',
  mail: 'Mail.',
  kb: 'Knowledge base.',
  marketing: 'Marketing.',
  account: 'Account. Needs no module.',
};
export const TileModule = wireEnum('TileModule', 'The module that a header or icons belong to.', modules);

export const titles = { show: 'With its title.', hide: 'Without its title.' };
export const TitleVisibility = wireEnum('TitleVisibility', 'Whether a tile shows its title.', titles);

export const frames = { none: 'No frame.', box: 'A box around the header.' };
export const TileFrame = wireEnum('TileFrame', 'The frame of a header.', frames);

export const counters = {
  open_tasks: 'kpi: open tasks.',
  overdue_tasks: 'kpi: overdue tasks.',
  unread_emails: 'kpi: unread e-mails.',
  unread_chats: 'kpi: unread chats.',
  clients_this_month: 'kpi: clients of this month.',
  crm_clients: 'crm_stats: clients.',
  crm_contacts: 'crm_stats: contacts.',
  crm_deals_open: 'crm_stats: open deals.',
  crm_notes: 'crm_stats: notes.',
  organize_my_tasks: "organize_stats: the caller's tasks.",
  organize_overdue_tasks: 'organize_stats: overdue tasks.',
  organize_projects: 'organize_stats: projects.',
  organize_week_hours: 'organize_stats: hours of this week.',
  kb_knowledge_bases: 'kb_stats: knowledge bases.',
  kb_entries: 'kb_stats: entries.',
  kb_categories: 'kb_stats: categories.',
  kb_comments: 'kb_stats: comments.',
  kb_helplinks: 'kb_stats: help links.',
  kb_entry_urls: 'kb_stats: URLs of entries.',
  marketing_campaigns: 'marketing_stats: campaigns.',
  marketing_sent: 'marketing_stats: messages sent.',
  marketing_open_rate: 'marketing_stats: proportion of opened messages.',
  marketing_click_rate: 'marketing_stats: proportion of clicked messages.',
  marketing_subscribers: 'marketing_stats: subscribers.',
  marketing_unsubscribes: 'marketing_stats: unsubscriptions.',
  cms_sites: 'cms_stats: sites.',
  cms_pages: 'cms_stats: pages.',
  cms_articles: 'cms_stats: articles.',
  cms_layouts: 'cms_stats: layouts.',
  cms_paragraphs: 'cms_stats: paragraphs.',
  cms_assets: 'cms_stats: assets.',
};
export const TileCounter = wireEnum('TileCounter', 'A figure that a tile of figures can hide.', counters);

export const actions = {
  new_task: 'New task.',
  new_project: 'New project.',
  new_email: 'New e-mail.',
  new_client: 'New client.',
  new_contact: 'New contact.',
  new_deal: 'New deal.',
  new_note: 'New note.',
  new_ticket: 'New ticket.',
  new_cms_page: 'New page of the CMS.',
};
export const QuickAction = wireEnum('QuickAction', 'A button that a quick_actions tile can hide.', actions);
