package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
)

func TestShipsWhatHasBeenPaid(t *testing.T) {
	shop := openShop(t)
	bought := shop.buy(t)
	afterTenMinutes(t)
	if got, want := shop.purchase(t, bought), (Purchase{bought, "shipped", 1}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestShipsNothingBeforeItIsPaid(t *testing.T) {
	shop := openShop(t)
	if got := shop.purchase(t, shop.buy(t)).Parcels; got != 0 {
		t.Errorf("got %d parcels, want none", got)
	}
}

func TestShipsNothingWhenThePaymentFails(t *testing.T) {
	shop := openShop(t)
	control(t, http.MethodPost, "/scenarios/next?clientId="+client, map[string]string{"scenario": "fail-9004"})
	bought := shop.buy(t)
	afterTenMinutes(t)
	if got, want := shop.purchase(t, bought), (Purchase{bought, "declined", 0}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

var client = os.Getenv("PAYMENT_ORDER_CLIENT_ID")

type openedShop struct{ url string }

func openShop(t *testing.T) openedShop {
	t.Helper()
	payments, err := NewPayments(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(NewShop(payments))
	t.Cleanup(server.Close)
	// The clock of the client stands still until a test moves it.
	control(t, http.MethodPut, "/clock?clientId="+client, map[string]string{"mode": "manual"})
	control(t, http.MethodPatch, "/clients/"+client, map[string]string{"webhookUrl": server.URL + "/webhooks"})
	return openedShop{server.URL}
}

func (s openedShop) buy(t *testing.T) string {
	t.Helper()
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		t.Fatal(err)
	}
	var bought Purchase
	call(t, http.MethodPut, fmt.Sprintf("%s/purchases/%x", s.url, id), nil, &bought)
	return bought.ID
}

func (s openedShop) purchase(t *testing.T, id string) (found Purchase) {
	t.Helper()
	call(t, http.MethodGet, s.url+"/purchases/"+id, nil, &found)
	return found
}

func afterTenMinutes(t *testing.T) {
	t.Helper()
	control(t, http.MethodPost, "/clock/advance?clientId="+client, map[string]string{"by": "10m"})
}

func control(t *testing.T, method, path string, body any) {
	t.Helper()
	var ignored any
	call(t, method, os.Getenv("EMULATOR_URL")+"/_emulator"+path, body, &ignored)
}

func call(t *testing.T, method, url string, body, answer any) {
	t.Helper()
	sent, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest(method, url, bytes.NewReader(sent))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode >= 300 {
		t.Fatalf("%s %s answered %s", method, url, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		t.Fatal(err)
	}
}
