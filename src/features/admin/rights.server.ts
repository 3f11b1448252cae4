export { type AdminAsker, mustAdmin } from '#lib/admin.ts'
