export { eraseOwnAccount as POST } from '#features/account/deletion/deletion.http.ts'
