export { deleteMemories as DELETE, stopMemoriesByForm as POST } from '#features/notifications/notifications.http.ts'
