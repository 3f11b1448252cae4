export { serveSitemapIndex as GET } from '#features/seo/seo.http.ts'
