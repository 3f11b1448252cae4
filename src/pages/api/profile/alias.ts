export { alias as GET } from '#features/profiles/profile.http.ts'
