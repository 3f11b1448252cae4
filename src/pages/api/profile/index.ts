export { saveProfileByForm as POST, saveProfile as PUT } from '#features/profiles/profile.http.ts'
