export { robots as GET } from '#features/seo/seo.http.ts'
