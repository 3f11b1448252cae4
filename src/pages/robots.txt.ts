export { serveRobots as GET } from '#features/seo/seo.http.ts'
