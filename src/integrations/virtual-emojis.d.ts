/** What emoji-mart's picker shows, ready for its `data` (see emojis.ts). */
declare module 'virtual:emojis' {
  const data: object
  export default data
}
