export { setFrameByForm as POST } from '#features/dogs/write/frame.http.ts'
