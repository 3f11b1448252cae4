import { readSource } from '#tests/support/sources.ts'
import { assert, suite } from '#tests/support/suites.ts'

const DIAGRAM = 'docs/architecture.md'
const diagram = readSource(DIAGRAM)

/** Names of the diagram's nodes `step1`, `step2`, …: the part of each label before its explanation. */
const nodesOf = (prefix: string) =>
  [...diagram.matchAll(new RegExp(`\\b${prefix}(\\d+)\\["([^":]+)`, 'g'))].map(([, number, name]) => ({
    number: Number(number),
    name: name!,
  }))

/** The names in the order of their arrows: each node but the first is the target of the one before it. */
function sequenceOf(prefix: string): string[] {
  const nodes = nodesOf(prefix).toSorted((a, b) => a.number - b.number)
  nodes.forEach(({ number }, index) => assert.is(number, index + 1, `${DIAGRAM}: ${prefix}${index + 1} is missing`))
  for (const { number } of nodes.slice(1))
    assert.match(diagram, new RegExp(`\\b${prefix}${number - 1}(?:\\[[^\\]]*\\])? --> ${prefix}${number}\\[`))
  return nodes.map(({ name }) => name)
}

const guard = suite('architecture')

guard('the request diagram shows the steps of the pipeline in their order', () => {
  const [, list = ''] = /return \[\n((?:    \['[^']+', \w+\],\n)+) {2}\]/.exec(readSource('src/app/pipeline.ts')) ?? []
  const steps = [...list.matchAll(/\['([^']+)'/g)].map(([, name]) => name!)
  assert.ok(steps.length > 5)
  assert.equal(sequenceOf('step'), steps, `bring ${DIAGRAM} up to date with stepsOf`)
})

guard('the request diagram shows the functions of the middleware in their order', () => {
  const [, list = ''] = /onRequest = sequence\(([^)]+)\)/.exec(readSource('src/middleware.ts')) ?? []
  const functions = list.match(/\w+/g) ?? []
  assert.ok(functions.length > 5)
  assert.equal(sequenceOf('middleware'), functions, `bring ${DIAGRAM} up to date with src/middleware.ts`)
})
