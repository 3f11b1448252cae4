export { patchDog as PATCH, showDog as GET } from '#features/dogs/dogs.http.ts'
export { removeDog as DELETE, removeDogByForm as POST } from '#features/dogs/write/delete.http.ts'
