import { expectedPostgresAddress } from '#lib/postgres-address.ts'
import { EnvError, readEnv } from '#server/env.ts'
import { assert, suite } from '#tests/support/suites.ts'

const address = suite('unit/server/postgres-address')

const EXPECTED = 'postgres://usuario:contraseña@servidor:5432/base'
const HINT = ', con los signos de la contraseña codificados: # es %23, / es %2F, ? es %3F'

address('a password that is not percent-encoded gets a hint, and is not shown', () => {
  for (const password of ['pa#ss', 'pa/ss', 'pa?ss'])
    try {
      readEnv({ DATABASE_URL: `postgres://perrario:${password}@db.example:5432/perrario` })
      assert.unreachable(password)
    } catch (error) {
      assert.instance(error, EnvError)
      assert.is((error as Error).message, `DATABASE_URL=…: valor no válido (se esperaba ${EXPECTED}${HINT}).`)
    }
})

address('any other address gets none', () => {
  for (const text of ['', 'mysql://a:b#c@d/e', 'postgres://db.example', 'postgres://a:b@db.example', '@', '//'])
    assert.is(expectedPostgresAddress(text), EXPECTED, text)
})
