export { restoreOwnAccount as POST } from '#features/account/deletion/deletion.http.ts'
