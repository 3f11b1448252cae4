export { index as GET } from '#features/seo/seo.http.ts'
