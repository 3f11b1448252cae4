export { putLost as PUT, deleteLost as DELETE } from '#features/lost/lost.http.ts'
