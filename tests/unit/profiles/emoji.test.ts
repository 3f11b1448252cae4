import file from '@emoji-mart/data' with { type: 'json' }
import { findEmojiProblem, parseEmoji } from '#features/profiles/emoji.ts'
import { STARTING_EMOJIS } from '#features/profiles/profiles.ts'
import { assert, assertNone, suite } from '#tests/support/suites.ts'

/** The package's types describe another file. */
const data = file as unknown as { emojis: Record<string, { skins: { native: string }[] }> }

const emoji = suite('unit/profiles/emoji')

emoji('one emoji of any kind is accepted', () => {
  for (const text of ['🐶', '🐕‍🦺', '❤️', '🇪🇸', '1️⃣', '#️⃣', '👍🏽', '👨‍👩‍👧‍👦', '🏴‍☠️', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🧑🏿‍🤝‍🧑🏻', '👁️‍🗨️', '⛹🏻‍♀️'])
    assert.is(parseEmoji(text), text, text)
  assert.is(parseEmoji(' 🐶 '), '🐶')
})

emoji('an emoji that keyboards write without its variation selector receives it', () => {
  assert.is(parseEmoji('\u2764'), '\u2764\uFE0F')
  assert.is(parseEmoji('1\u20E3'), '1\uFE0F\u20E3')
  assert.is(parseEmoji('\u{1F3F4}\u200D\u2620'), '\u{1F3F4}\u200D\u2620\uFE0F')
  assert.is(parseEmoji('\u{1F441}\u200D\u{1F5E8}'), '\u{1F441}\uFE0F\u200D\u{1F5E8}\uFE0F')
  assert.is(parseEmoji('\u2764\uFE0E'), '\u2764\uFE0F')
})

emoji('all emojis of the picker are accepted, with or without variation selectors', () => {
  const all = Object.values(data.emojis).flatMap(({ skins }) => skins.map(({ native }) => native))
  assert.ok(all.length > 3000)
  assertNone(all, (native) => parseEmoji(native) === null)
  assertNone(all, (native) => parseEmoji(native.replaceAll('\uFE0F', '')) !== parseEmoji(native))
})

emoji('the emojis of new profiles are accepted', () => {
  assertNone(STARTING_EMOJIS, (text) => parseEmoji(text) !== text)
})

emoji('two, none, letters, digits, halves and long sequences are refused', () => {
  assert.equal([findEmojiProblem(''), findEmojiProblem('  ')], ['Elige un emoji.', 'Elige un emoji.'])
  for (const text of ['🐶🐱', '🐶a', 'a', '1', '#', '\uD83D', '🇪', '\u200D', '🐶\u200D', '🐶'.repeat(30), '<b>', '字'])
    assert.is(findEmojiProblem(text), 'Tiene que ser un solo emoji.', text)
})
