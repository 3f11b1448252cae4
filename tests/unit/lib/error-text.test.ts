import { explainError } from '#lib/error-text.ts'
import { assert, suite } from '#tests/support/suites.ts'

const text = suite('unit/lib/error-text')

text('an error of our own says its sentence, and a browser’s English never reaches the person', () => {
  const cloud = new DOMException('The requested file could not be read.', 'NotReadableError')
  assert.match(explainError(cloud), /^No podemos abrir el archivo: quizá está solo en la nube\. Descárgalo/)
  assert.is(explainError(new Error('La foto está dañada.')), 'La foto está dañada.')
  const foreign = [
    new TypeError('Failed to fetch'),
    new SyntaxError(`Unexpected token '<', "<html>" is not valid JSON`),
    new DOMException('The user aborted a request.', 'AbortError'),
    'no error',
    undefined,
  ]
  for (const error of foreign) {
    assert.is(explainError(error), 'Error inesperado. Intenta de nuevo.')
    assert.is(explainError(error, 'No se ha podido enviar.'), 'No se ha podido enviar.')
  }
})
