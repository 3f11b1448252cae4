/**
 * Which file stands at `/sw.js`: the worker of this build or, retired, the one that takes its place, forgets what it kept and
 * goes. Browsers ask for it anew at every visit, so either reaches everybody.
 */
export const workerRewrite = (isRetired: boolean) => ({
  path: '/sw.js',
  from: isRetired ? '/sw-retirado.js' : '/sw.js',
  headers: { 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/' },
})
