export { detect as POST, state as GET } from '#features/detection/detection.http.ts'
