export { setRequest as POST } from '#features/opinions/opinions.http.ts'
