import { FREE_TEXT_NAMES, type FreeText } from '#features/dogs/write/dog-fields.ts'

/** What an edit writes in place of a dog's free text. */
export const otherText = (name: FreeText) => `other${name}` as const
export const OTHER_FREE_TEXTS = FREE_TEXT_NAMES.map(otherText)

/** What each member of the contract's community writes, everywhere a person can write: one word for each, found nowhere else. */
export const CANARIES = [
  'email',
  'oldemail',
  'keyname',
  'provider',
  'endpoint',
  'publickey',
  'pushsecret',
  'alias',
  'otheralias',
  'name',
  'breed',
  'zone',
  ...FREE_TEXT_NAMES,
  'coveralt',
  'secondalt',
  'othername',
  'otherbreed',
  'otherzone',
  ...OTHER_FREE_TEXTS,
  'forsale',
  'comment',
  'opinion',
  'message',
  'answered',
  'accusation',
  'ownreport',
  'reason',
  'note',
  'appeal',
  'adminword',
  'requestkey',
  'losthelp',
  'sighting',
  'foundcoat',
  'foundcollar',
  'foundwords',
  'foundquestion',
  'foundanswer',
] as const
export type Canary = (typeof CANARIES)[number]
