const EXPECTED = 'postgres://usuario:contraseña@servidor:5432/base'

/** What an address of PostgreSQL has to look like, for an operator who wrote `text`. */
export function expectedPostgresAddress(text: string): string {
  const user = text.slice(text.indexOf('//') + 2, Math.max(0, text.lastIndexOf('@')))
  // They end the host in a URL, so that the rest of the password is read as a path.
  const isUnencoded = /^postgres(?:ql)?:\/\//.test(text) && /[#/?]/.test(user)
  return isUnencoded
    ? `${EXPECTED}, con los signos de la contraseña codificados: # es %23, / es %2F, ? es %3F`
    : EXPECTED
}
