export { createDog as POST, getDogs as GET } from '#features/dogs/dogs.http.ts'
