export { breedFeed as GET } from '#features/seo/seo.http.ts'
