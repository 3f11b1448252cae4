/** The first letter of each segment, percent-encoded `rounds` times: `/%70erfil`. */
const encodeLetters = (path: string, rounds = 1) =>
  path.replace(/(?<=\/)[a-z]/g, (letter) => `%${'25'.repeat(rounds - 1)}${letter.charCodeAt(0).toString(16)}`)

/** Folders whose steps or limits are others than a page's. */
const FOLDERS = ['/api/events', '/photos', '/_ipx', '/_astro', '/fragments', '/x']
const DOUBLE_DOTS = [
  '..',
  '.%2e',
  '%2E.',
  '%2e%2e',
  '%2E%2e',
  '%252e%252e',
  '%25252e.',
  '.%09.',
  '%2e%0a%2e',
  '..%5c',
  '%5c..',
]

/** Addresses that one reader or another may take for `path`. */
export function hostileSpellings(path: string): string[] {
  const last = path.lastIndexOf('/')
  const replaceLastSlash = (text: string) => `${path.slice(0, last)}${text}${path.slice(last + 1)}`
  return [
    ...DOUBLE_DOTS.map((dots) => `/api/${dots}${path}`),
    ...FOLDERS.map((folder) => `${folder}${'/%2e.'.repeat(folder.split('/').length - 1)}${path}`),
    ...['.', '%2E', '%252e', 'x/..', 'x/%2E%2e'].flatMap((dots) => [`/${dots}${path}`, `${path}/${dots}`]),
    ...[
      '/',
      '//',
      '/?x',
      ';x=1',
      '%3bx',
      ';/..',
      '/..;/',
      '%00',
      '%20',
      '%0a',
      '%09',
      '.html',
      '/index.html',
      '#',
      '#/../x',
      '?x#y',
      '%23',
      '%3f',
      '%ff',
      '\xff',
      '?\xff',
    ].map((end) => path + end),
    ...['/', '//', '/;', '\\', '/%2f', '/%5c', '/api/\\..', '/api\\..'].map((start) => start + path),
    `/${path}?\xff`,
    `${path}/?\xff`,
    ...['%2f', '%2F', '%252f', '%5c', '%5C', '%255c', '\\', '//', '/./'].map(replaceLastSlash),
    ...['http://localhost', 'HTTP://otro.example', 'https://localhost:4321', '//otro.example', 'localhost', '*'].map(
      (host) => host + path,
    ),
    path.toUpperCase(),
    path.replace(/(?<=\/)[a-z]/, (letter) => letter.toUpperCase()),
    ...[1, 2, 3].map((rounds) => encodeLetters(path, rounds)),
  ]
}
