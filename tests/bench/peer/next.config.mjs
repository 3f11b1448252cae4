/** @type {import('next').NextConfig} */
export default {
  // Our own lockfile lies above; this folder is a project of its own.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
  serverExternalPackages: ['better-sqlite3'],
  poweredByHeader: false,
}
