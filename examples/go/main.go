// A shop with a web API. Go 1.19 or newer, standard library only.
package main

import (
	"fmt"
	"log"
	"net/http"
	"os"
)

func main() {
	payments, err := NewPayments(os.Getenv)
	if err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	fmt.Println("The shop is open: http://127.0.0.1:" + port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, NewShop(payments)))
}
