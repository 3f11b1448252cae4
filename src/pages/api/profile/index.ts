export { saveForm as POST, save as PUT } from '#features/profiles/profile.http.ts'
