export { createOpinion as POST, removeOpinion as DELETE } from '#features/opinions/opinions.http.ts'
