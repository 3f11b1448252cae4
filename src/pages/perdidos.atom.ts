export { serveLostFeed as GET } from '#features/seo/seo.http.ts'
