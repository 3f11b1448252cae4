export { describe as GET } from '#features/search/opensearch.http.ts'
