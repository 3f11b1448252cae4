import { buildQuestionMail } from '#features/lost/question-mail.ts'
import { assert, suite } from '#tests/support/suites.ts'

const mail = suite('unit/lost/question-mail')

mail("a dog's name, which its discoverer may write, is no HTML of the owner's mail", () => {
  const { html, text } = buildQuestionMail({ dogName: 'Toby</title><b>', link: 'https://perrario.example/perdidos/1' })
  assert.not.match(html, 'Toby</title>')
  assert.is(html.split('Toby&lt;/title&gt;&lt;b&gt;').length, 3)
  assert.match(text, 'Toby</title><b>')
})

mail.run()
