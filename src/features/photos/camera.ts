/** Where «Hacer foto» brought none: the page is not told why. */
export const NO_CAMERA =
  '¿No se abre la cámara? Dale permiso a tu navegador en los ajustes del dispositivo, o elige una foto que ya tengas.'
