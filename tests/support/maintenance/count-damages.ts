/** Statements that make counts wrong, and the counts that the doctor then names. */
export const COUNT_DAMAGES: readonly (readonly [statement: string, names: readonly string[]])[] = [
  ['UPDATE dogs_all SET comments_count = 9', ['comentarios de los perros']],
  ['UPDATE profiles_all SET likes_count = likes_count + 1', ['likes de los perfiles']],
  [
    'UPDATE profiles_all SET dogs_count = dogs_count - 1, breeds_count = 7',
    ['número de perros de los perfiles', 'número de razas de los perfiles'],
  ],
  ['DELETE FROM member_dogs', ['perros de cada miembro', 'razas de cada miembro']],
  ['UPDATE member_breeds SET dogs = 5', ['razas de cada miembro']],
  [
    'DELETE FROM dog_tallies; UPDATE dog_day_tallies SET dogs = 8',
    ['perros y likes por raza y tamaño', 'perros por día, raza y tamaño'],
  ],
  ['DELETE FROM ranking_dogs; DELETE FROM ranking_likes', ['miembros por perros', 'miembros por perros y likes']],
  [`INSERT INTO province_breeds VALUES ('28', 'mudi', 7)`, ['perros por provincia y raza']],
  ['UPDATE like_hour_tallies SET likes = 7', ['likes por hora']],
  [`DELETE FROM totals WHERE name = 'profiles'`, ['total de perfiles']],
  ['UPDATE dogs_all SET votes = votes + 3', ['likes de los perros']],
]
