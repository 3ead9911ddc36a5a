import { describe, expect, test } from 'vitest';
import { accountSandbox } from './support.ts';

const limits = { values: ['5', '10', '15', '20'] };
const scope = { values: ['all', 'mine'] };
const openFirst = { values: ['open', 'all'], standard: 'open' };
/** A list of these members, with a space between two. */
const members = (values: string) => ({ values: values.split(' '), list: true });
const places = ['main', 'crm', 'cms', 'organize', 'mail', 'kb', 'marketing', 'account'];

interface Line {
  readonly values: readonly string[];
  readonly standard?: string;
  readonly list?: boolean;
}

/** The document's table of tile settings. */
const table: [tiles: string[], setting: string, line: Line][] = [
  [['activity', 'tasks'], 'scope', { ...scope, standard: 'all' }],
  [['tasks'], 'filter', { values: ['all', 'overdue'], standard: 'all' }],
  [['mail', 'chats', 'crm_clients', 'crm_contacts', 'crm_deals', 'organize_projects'], 'scope', scope],
  [['mail', 'chats'], 'filter', { values: ['all', 'unread'] }],
  [['crm_deals', 'organize_projects'], 'filter', openFirst],
  [['inbox'], 'scope', { values: ['mine', 'mine_unassigned', 'unassigned', 'all'], standard: 'mine' }],
  [['inbox'], 'source', { values: ['all', 'tasks', 'emails'], standard: 'all' }],
  [['activity', 'tasks', 'mail', 'chats', 'crm_clients', 'crm_deals'], 'limit', { ...limits, standard: '5' }],
  [['crm_contacts', 'crm_notes', 'cms_pages', 'cms_change_log'], 'limit', { ...limits, standard: '5' }],
  [['organize_projects', 'organize_workinfos'], 'limit', { ...limits, standard: '5' }],
  [['kb_comments', 'kb_entry_urls', 'marketing_campaigns'], 'limit', { ...limits, standard: '5' }],
  [['inbox', 'cms_domains', 'kb_entries'], 'limit', { ...limits, standard: '10' }],
  [['kb_knowledge_bases'], 'limit', { values: ['2', '4', '6', '8'], standard: '6' }],
  [['cms_sites'], 'limit', { values: ['2', '4', '6', '8'], standard: '4' }],
  [['crm_stats'], 'hidden_counters', members('crm_clients crm_contacts crm_deals_open crm_notes')],
  [
    ['organize_stats'],
    'hidden_counters',
    members('organize_my_tasks organize_overdue_tasks organize_projects organize_week_hours'),
  ],
  [
    ['kb_stats'],
    'hidden_counters',
    members('kb_knowledge_bases kb_entries kb_categories kb_comments kb_helplinks kb_entry_urls'),
  ],
  [
    ['marketing_stats'],
    'hidden_counters',
    members(
      'marketing_campaigns marketing_sent marketing_open_rate marketing_click_rate marketing_subscribers marketing_unsubscribes',
    ),
  ],
  [['cms_stats'], 'hidden_counters', members('cms_sites cms_pages cms_articles cms_layouts cms_paragraphs cms_assets')],
  [['kpi'], 'hidden_counters', members('open_tasks overdue_tasks unread_emails unread_chats clients_this_month')],
  [
    ['quick_actions'],
    'hidden_actions',
    members('new_task new_project new_email new_client new_contact new_deal new_note new_ticket new_cms_page'),
  ],
  [['module_icons'], 'icons', { values: places, standard: 'main' }],
  [['module_icons'], 'title', { values: ['show', 'hide'], standard: 'show' }],
  [['module_header'], 'module', { values: places, standard: 'cms' }],
  [['module_header'], 'frame', { values: ['none', 'box'], standard: 'none' }],
];

/** The saved configs of a layout of one tile with different configs. */
async function saved(key: string, ...configs: unknown[]): Promise<unknown[]> {
  const { makeDashboard } = await accountSandbox();
  const { layout } = await makeDashboard({ layout: configs.map((config) => ({ key, config })) });
  return layout.map(({ config }) => config);
}

describe.each(table.flatMap(([tiles, setting, line]) => tiles.map((tile) => ({ tile, setting, line }))))(
  '$tile.$setting',
  ({ tile, setting, line: { values, standard, list } }) => {
    test('keeps each documented value, but omits the default', async () => {
      const wanted = values.map((value) => ({ [setting]: list ? [value] : value }));
      const kept = values.map((value) => (value === standard ? {} : { [setting]: list ? [value] : value }));
      expect(await saved(tile, ...wanted)).toEqual(kept);
    });

    test('removes what is not allowed', async () => {
      const wrong = ['nonsense', '', null, 5, 10, true, {}, [], ['nonsense'], 'toString'];
      if (!list) wrong.push([...values]); // one value, not a list of them
      expect(await saved(tile, ...wrong.map((value) => ({ [setting]: value })))).toEqual(wrong.map(() => ({})));
    });

    if (list) {
      test('keeps several members once each, and drops unknown ones', async () => {
        const [one = '', two = ''] = values;
        expect(await saved(tile, { [setting]: [two, 'nonsense', one, two, 7] })).toEqual([{ [setting]: [two, one] }]);
      });
    }
  },
);

describe('quick_actions', () => {
  const longest = `/${'x'.repeat(499)}`;
  test.each<[string, { kept: unknown[]; removed: unknown[] }]>([
    ['custom_name', { kept: ['Order', '🙂'.repeat(60)], removed: ['x'.repeat(61), '', ' ', 7, null] }],
    [
      'custom_url',
      {
        kept: [
          ...['https://a.example/x?y=1#z', 'http://a.example', '/', '/crm/clients?filter=1', longest],
          ...['HTTPS://a.example', 'Http://a.example', '/a b', '/price list?q=oak table', 'https://a.example/a b\t'],
        ],
        removed: [
          ...['javascript:alert(1)', 'JavaScript:alert(1)', '\tjavascript:alert(1)', 'data:text/html,x'],
          ...['//host', '/\\host', '\\\\host', '/\t/host', '/\n\\host', 'https://\t/host', 'ftp://a.example'],
          ...[' https://a.example', 'https://a\0.example', 'https:a.example', 'https:///', 'crm/clients'],
          ...['', `${longest}x`, 7, ['/crm']],
        ],
      },
    ],
  ])('%s keeps these values, and no other', async (name, { kept, removed }) => {
    const values = [...kept, ...removed].map((value) => ({ [name]: value }));
    expect(await saved('quick_actions', ...values)).toEqual(values.map((it, at) => (at < kept.length ? it : {})));
  });
});

test('unknown settings and settings of other tiles are removed', async () => {
  const config = { scope: 'mine', hidden_counters: ['open_tasks'], __proto__: { limit: '20' }, colour: 'red' };
  expect(await saved('activity', config, null, 'x', [], undefined)).toEqual([{ scope: 'mine' }, {}, {}, {}, {}]);
  expect(await saved('todo', config)).toEqual([{}]);
});

test('icons of a module that is not enabled are removed, those of main and account stay', async () => {
  const { makeDashboard } = await accountSandbox({ modules: ['crm'] });
  const { layout } = await makeDashboard({
    layout: ['crm', 'mail', 'account'].map((icons) => ({ key: 'module_icons', config: { icons } })),
  });
  expect(layout.map(({ config }) => config)).toEqual([{ icons: 'crm' }, {}, { icons: 'account' }]);
});
