export { serveBreedFeed as GET } from '#features/seo/seo.http.ts'
