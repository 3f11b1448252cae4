import { EnvError, readEnv } from '#server/env.ts'
import { assert, suite } from '#tests/support/suites.ts'

const ALL = {
  S3_ENDPOINT: 'https://s3.example',
  S3_BUCKET: 'perrario',
  S3_REGION: 'eu-west-1',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'a-secret-key',
}

const settings = suite('unit/server/bucket-settings')

function errorOf(source: Record<string, string>): string {
  try {
    readEnv(source)
  } catch (error) {
    assert.instance(error, EnvError)
    return (error as Error).message
  }
  throw new Error('it was accepted')
}

settings('without any of the five the photos are in DATA_DIR', () => {
  assert.is(readEnv({}).bucket, undefined)
  assert.is(readEnv(Object.fromEntries(Object.keys(ALL).map((name) => [name, '']))).bucket, undefined)
})

settings('with all five the photos are in a bucket', () => {
  assert.equal(readEnv({ ...ALL, S3_ENDPOINT: 'https://s3.example:3900/' }).bucket, {
    endpoint: 'https://s3.example:3900',
    bucket: 'perrario',
    region: 'eu-west-1',
    accessKeyId: 'key',
    secretAccessKey: 'a-secret-key',
  })
})

settings('each missing one is named in one line', () => {
  for (const name of Object.keys(ALL)) {
    const text = errorOf({ ...ALL, [name]: '' })
    assert.is(
      text,
      `falta ${name}: las fotos se guardan en un bucket con los cinco valores S3_… o, sin ninguno, en DATA_DIR.`,
    )
  }
  assert.match(
    errorOf({ S3_BUCKET: 'perrario' }),
    /^falta S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: /,
  )
})

settings('an endpoint is a service’s address without the bucket', () => {
  for (const S3_ENDPOINT of [
    's3.example',
    'ftp://s3.example',
    'https://s3.example/perrario',
    'https://s3.example/?x=1',
    'https://user@s3.example',
  ])
    assert.is(
      errorOf({ ...ALL, S3_ENDPOINT }),
      'S3_ENDPOINT=…: valor no válido (se esperaba la dirección http(s) del servicio, sin el bucket).',
    )
})

settings('other wrong values are named, and keys are not shown', () => {
  assert.match(errorOf({ ...ALL, S3_BUCKET: 'Perrario/fotos' }), /^S3_BUCKET=Perrario\/fotos: valor no válido/)
  assert.match(errorOf({ ...ALL, S3_REGION: 'eu west' }), /^S3_REGION=eu west: valor no válido/)
  for (const name of ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'])
    assert.match(errorOf({ ...ALL, [name]: 'with space' }), new RegExp(`^${name}=…: valor no válido`))
})
