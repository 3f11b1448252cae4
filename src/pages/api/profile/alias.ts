export { checkAlias as GET } from '#features/profiles/profile.http.ts'
