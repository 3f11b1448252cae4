export { type AdminRequester as AdminAsker, assertAdmin as mustAdmin } from '#lib/auth/admin.ts'
