import { cycle } from '../cycle.ts';
import type { JsonObject } from '../json-object.ts';

// Fields that few records have: enough rows show each of them. No endpoint writes an avatar, an answer or a spam report.

/** A picture, attachments and sensitive data of some clients. */
export function clientDetails(index: number, time: Date): JsonObject {
  return {
    ...(index % 25 === 0 && {
      avatar_file_name: `client-${index + 1}.png`,
      avatar_content_type: 'image/png',
      avatar_file_size: 18_000 + index * 31,
      avatar_updated_at: time.toISOString(),
    }),
    ...(index % 30 === 0 && {
      sensitive_data: cycle(['The key is with the neighbour.', 'Pays in instalments: not to be told.'], index / 30),
      appendixes_count: 1 + (index % 4),
    }),
  };
}

/** Answers, copies of mails, help and spam reports of some tasks. */
export function taskDetails(index: number, task_kind: string, responsible_id: number): JsonObject {
  return {
    ...(index % 10 === 0 && {
      abstract: cycle(['Asks for a price.', 'Wants to be called.', 'Bitte um Antwort.'], index),
    }),
    ...(index % 12 === 5 && {
      response: cycle(['We deliver on Thursday.', 'Die Maße sind notiert.', 'Oferta w załączniku.'], index),
      response_user_id: responsible_id,
      answer: cycle(['Thank you, that suits us.', 'Dziękuję!', 'Gut, danke.'], index),
      answered: true,
      last_action_status: 'answered',
    }),
    ...(task_kind === 'email' && {
      email_to: 'desk@example.com',
      ...(index % 2 === 0 && { email_cc: 'workshop@example.com, sales@example.com' }),
      ...(index % 3 === 1 && { email_bcc: 'archive@example.com', email_reply_to: 'replies@example.com' }),
    }),
    ...(task_kind === 'help' && {
      help_link: cycle(['assembly', 'care', 'warranty'], index),
      help_content: cycle(['Tighten the screws again after a week.', 'Oil the top once a year.'], index),
    }),
    ...(index % 50 === 46 && {
      spam_kind: 'suspicious',
      spam_score: `${5 + (index % 4)}.5`,
      spam_report: 'Links to a shop that is not known.',
      user_spam_report: 'An advertisement.',
    }),
  };
}
