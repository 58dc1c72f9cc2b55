package safetensors_test

import (
	"bytes"
	"fmt"
	"log"

	"paddle/internal/safetensors"
)

func Example() {
	var file bytes.Buffer
	err := safetensors.Write(&file, []safetensors.Tensor{
		{Name: "mask", DType: safetensors.Bool, Shape: []int{2, 2}, Data: []byte{1, 0, 0, 1}},
	}, map[string]string{"step": "12"})
	if err != nil {
		log.Fatal(err)
	}

	f, err := safetensors.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range f.Names() {
		info, _ := f.Tensor(name)
		data := make([]byte, info.Bytes)
		if err := f.ReadInto(name, data); err != nil {
			log.Fatal(err)
		}
		fmt.Println(name, info.DType, info.Shape, data)
	}
	fmt.Println(f.Metadata())
	// Output:
	// mask BOOL [2 2] [1 0 0 1]
	// map[step:12]
}
