import { createHash, scrypt } from 'node:crypto'

/** For what is drawn by lot from so many that nobody tries them out. */
export const fastHash = (token: string): string => createHash('sha256').update(token).digest('hex')

/**
 * A slow hash salted with the address: a million codes are tried in no time against a fast one, whereas this takes
 * hours for each row of a stolen database, and a code lives for minutes. 8 MB of memory a run.
 */
export const codeHash = (email: string, code: string): Promise<Buffer> =>
  new Promise((done, fail) =>
    scrypt(code, `perrario:${email}`, 32, { N: 8192, r: 8, p: 1 }, (error, key) => (error ? fail(error) : done(key))),
  )
