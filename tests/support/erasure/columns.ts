import { columnKinds, TABLES } from '#features/account/personal-data/personal-data.server.ts'
import { FREE_TEXT_NAMES } from '#features/dogs/write/dog-fields.ts'
import { type Canary, otherText } from './canaries.ts'

/** The canaries that a column holds at some time of the contract. */
export const WORDS: Record<string, readonly Canary[]> = {
  'bans.reason': ['reason'],
  'breed_opinions_all.reason': ['opinion'],
  'cases.proposed': ['forsale'],
  'comments_all.content': ['comment', 'answered'],
  'contact_messages.text': ['message'],
  'decision_people.appeal': ['appeal'],
  'decisions.what': ['name', 'breed', 'comment', 'alias'],
  'decisions.reason': ['reason', 'note'],
  'dog_images_all.alt': ['coveralt', 'secondalt'],
  'dog_paths.slug': ['name', 'othername'],
  'dog_words.plain': ['name', 'othername'],
  'dog_words.low': ['name', 'othername'],
  'dogs_all.name': ['name', 'othername'],
  'dogs_all.breed': ['breed', 'otherbreed'],
  'dogs_all.zone': ['zone', 'otherzone'],
  ...Object.fromEntries(FREE_TEXT_NAMES.map((name) => [`dogs_all.${name}`, [name, otherText(name)]])),
  'dogs_all.description': ['description', otherText('description'), 'forsale'],
  'dogs_all.path_slug': ['name', 'othername'],
  'email_changes.email': ['email'],
  'email_changes.previous_email': ['oldemail'],
  'found_claims.answer': ['foundanswer'],
  'found_notices_all.coat': ['foundcoat'],
  'found_notices_all.collar': ['foundcollar'],
  'found_notices_all.words': ['foundwords'],
  'found_notices_all.question': ['foundquestion'],
  'lost_cases.help': ['losthelp'],
  'lost_history.help': ['losthelp'],
  'member_words.plain': ['alias', 'otheralias'],
  'member_words.low': ['alias', 'otheralias'],
  'notifications_all.content': ['name', 'comment', 'answered', 'reason', 'adminword'],
  'oauth_accounts.provider_user_id': ['provider'],
  'passkeys.name': ['keyname'],
  'profiles_all.alias': ['alias', 'otheralias'],
  'profiles_all.alias_key': ['alias', 'otheralias'],
  'push_subscriptions.endpoint': ['endpoint'],
  'push_subscriptions.p256dh': ['publickey'],
  'push_subscriptions.auth': ['pushsecret'],
  'reported_messages.text': ['message'],
  'reports.words': ['accusation', 'ownreport'],
  'security_log.detail': ['keyname'],
  'sightings_all.words': ['sighting'],
  'sign_in_alerts.email': ['email'],
  'sign_in_tokens.email': ['email'],
  'sign_in_tokens.mailbox': ['email'],
  'users.email': ['email'],
}

/** Every column that may hold text: its canaries, or of which kind it is, where nobody can write into it. */
export const COLUMNS: Record<string, readonly Canary[] | string> = Object.fromEntries(
  TABLES.flatMap((table) =>
    columnKinds(table)
      .filter(([, kind]) => kind !== 'time' && kind !== 'flag')
      .map(([column, kind]) => [`${table}.${column}`, WORDS[`${table}.${column}`] ?? kind]),
  ),
)
