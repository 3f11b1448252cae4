export { part as GET } from '#features/seo/seo.http.ts'
