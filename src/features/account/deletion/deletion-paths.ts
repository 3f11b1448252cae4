import { paths } from '#lib/paths.ts'

/** Addresses that only the pages of a deletion use: in a file of their own, since every page of the site loads `paths`. */
export const deletionPaths = {
  /** The mailed link; the page asks before it undoes the deletion. */
  link: (token: string) => `${paths.recoverAccount}?${new URLSearchParams({ token })}`,
  requested: `${paths.recoverAccount}?hecho=pedido`,
  restored: `${paths.recoverAccount}?hecho=si`,
  erased: `${paths.recoverAccount}?hecho=borrada`,
  /** Asks before the account is deleted now. */
  eraseNow: `${paths.recoverAccount}?borrar=si`,
  api: {
    restore: '/api/account/restore',
    erase: '/api/account/erase',
  },
}
