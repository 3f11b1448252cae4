export { serveSitemapPart as GET } from '#features/seo/seo.http.ts'
