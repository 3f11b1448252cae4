export { serveOpenSearch as GET } from '#features/search/opensearch.http.ts'
