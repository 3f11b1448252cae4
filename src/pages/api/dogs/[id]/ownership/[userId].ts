export { answerRequest as POST } from '#features/dogs/ownership/ownership.http.ts'
