// node run.mjs CHROMIUM URL…: Lighthouse's mobile preset over each address. A line of JSON for each: scores, what the page
// took, and what failed.
import { launch } from 'chrome-launcher'
import lighthouse from 'lighthouse'

const onlyCategories = ['performance', 'accessibility', 'best-practices', 'seo']
const METRICS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift']

const [chromePath, ...urls] = process.argv.slice(2)
const chrome = await launch({
  chromePath,
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
})
/** A trace that a busy machine cut short (NO_NAVSTART and the like) says nothing of the page: it is taken again. */
async function look(url, tries = 3) {
  const { lhr } = await lighthouse(url, { port: chrome.port, logLevel: 'error', onlyCategories })
  if (!lhr.runtimeError) return lhr
  if (tries > 1) return look(url, tries - 1)
  throw new Error(`${url}: ${lhr.runtimeError.code} ${lhr.runtimeError.message}`)
}

/** What the browser's console said, where that is what failed. */
const saidOf = ({ id, details }) =>
  id === 'errors-in-console'
    ? details.items.map(({ description, sourceLocation }) => `${description} (${sourceLocation?.url})`)
    : []

for (const url of urls) {
  const lhr = await look(url)
  const categories = onlyCategories.map((id) => lhr.categories[id])
  const failed = categories.flatMap(({ auditRefs }) =>
    auditRefs
      .filter(({ id, weight }) => weight > 0 && lhr.audits[id].score !== null && lhr.audits[id].score < 1)
      .map(({ id }) => [id, lhr.audits[id].displayValue, ...saidOf(lhr.audits[id])].filter(Boolean).join(': ')),
  )
  console.log(
    JSON.stringify({
      url,
      scores: categories.map(({ score }) => Math.round(score * 100)),
      metrics: METRICS.map((id) => lhr.audits[id].numericValue),
      failed,
    }),
  )
}
chrome.kill()
