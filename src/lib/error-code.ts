/** The `code` of an error of Node, SQLite or nodemailer (`ENOENT`, `SQLITE_BUSY`); empty for any other value. */
export const errorCode = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : ''
