/**
 * The rewrite of `/sw.js`: the worker of this build or, retired, one that replaces it, deletes its caches and unregisters.
 * Browsers revalidate it at every visit, so that either reaches everyone.
 */
export const workerRewrite = (isRetired: boolean) => ({
  path: '/sw.js',
  from: isRetired ? '/sw-retirado.js' : '/sw.js',
  headers: { 'Cache-Control': 'no-cache', 'Service-Worker-Allowed': '/' },
})
