import type { NotificationType } from './notifications.ts'

export type Part<Data> = string | ((data: Data) => string)

/** A kind of notification. Its functions get what is given to `notify`. A notification ends with its dog, its target and its actor's account. */
export interface Kind<Data> {
  /** Its colour, its icon, and on devices its switch (`SWITCHES`, push/settings.ts); without it `other`. */
  type?: NotificationType
  title: Part<Data>
  /** With placeholders for the names of the dog and of the actor, which are filled in when it is read. */
  content: Part<Data>
  /** The page that it leads to instead of its dog's; `notify` takes one that features above know. */
  link?: Part<Data>
  /** What can be switched off by itself; `lost` is pushed whatever the member says of other types. */
  topic?: 'memory' | 'lost'
  /** Of the account's security or a lost dog: it comes first in the bell while it is unread. */
  isUrgent?: true
  /** False: it is in the bell alone. */
  isPushed?: false
  /** What its content quotes or describes: it is deleted with it. `notify` takes what is of several kinds. */
  target?: (data: Data) => { kind: 'comment' | 'lost'; id: string }
  /** By what its member's earlier ones are found: the dog and the title, or the link. Without it each stays beside the others. */
  oneBy?: 'dog' | 'link'
  /** What an unread earlier one becomes instead of being deleted: it stands for the next, or takes its words, with or without a push. */
  unread?: 'stands' | 'rewritten' | 'pushed again'
}

export const kind = <Data = unknown>(described: Kind<Data>): Kind<Data> => described

const read = <Data>(part: Part<Data>, data: Data): string => (typeof part === 'function' ? part(data) : part)

/** A notification of a kind as it is stored, and how it rings. */
export const describeKind = <Data>(
  { title, content, link, target, type = 'other', topic, isUrgent, isPushed }: Kind<Data>,
  data: Data,
) => ({
  type,
  title: read(title, data),
  content: read(content, data),
  link: link === undefined ? null : read(link, data),
  target: target?.(data) ?? null,
  topic: topic ?? null,
  isUrgent: isUrgent === true,
  isPushed: isPushed !== false,
})
