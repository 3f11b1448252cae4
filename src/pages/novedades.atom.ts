export { serveFeed as GET } from '#features/seo/seo.http.ts'
