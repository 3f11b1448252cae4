export { feed as GET } from '#features/seo/seo.http.ts'
